/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "values_private.h"

/* Bytes that a short stream computes at a time. */
enum { SCRATCH_BYTES = 4096 };

struct values_stream {
    struct values_source source; /* what is being read */
    uint64_t position, left;     /* the next element, and how many */
    bool from_tile;
    struct values_source held; /* what the tile was built from; type NULL: nothing */
    unsigned char *tile;       /* the table of `held`; a rotated tile is two runs of it */
    unsigned char scratch[SCRATCH_BYTES];
};

static size_t bytes_most(void)
{
    size_t most = 0;

    for (int id = 0; id < DATATYPE_COUNT; id++)
        if (datatype_get((enum datatype_id)id)->bytes > most)
            most = datatype_get((enum datatype_id)id)->bytes;
    return most;
}

struct values_stream *values_stream_open(void)
{
    struct values_stream *stream = calloc(1, sizeof *stream);

    if (stream == NULL)
        return NULL;
    stream->tile = malloc(VALUES_TILE * bytes_most());
    if (stream->tile == NULL) {
        free(stream);
        return NULL;
    }
    return stream;
}

void values_stream_close(struct values_stream *stream)
{
    if (stream == NULL)
        return;
    free(stream->tile);
    free(stream);
}

static void tile_build(struct values_stream *stream)
{
    values_table(&stream->source, 0, VALUES_TILE, stream->tile);
    stream->held = stream->source;
}

void values_stream_start(struct values_stream *stream, const struct values *values,
                         struct origin origin, uint64_t elements)
{
    values_source_of(&stream->source, values, origin);
    stream->position = origin.element;
    stream->left = elements;
    stream->from_tile = values_source_equal(&stream->source, &stream->held);
    if (!stream->from_tile && elements > 2 * VALUES_TILE) {
        tile_build(stream);
        stream->from_tile = true;
    }
}

uint64_t values_stream_next(struct values_stream *stream, uint64_t most, const void **run)
{
    size_t bytes = stream->source.values.type->bytes;
    uint64_t in_tile = stream->position % VALUES_TILE;
    uint64_t turn = values_rotation(&stream->source, stream->position / VALUES_TILE);
    uint64_t entry = (in_tile + turn) % VALUES_TILE;
    uint64_t contiguous = VALUES_TILE - (in_tile > entry ? in_tile : entry);
    uint64_t count = values_min(values_min(most, stream->left), contiguous);

    if (stream->from_tile) {
        *run = stream->tile + entry * bytes;
    } else {
        count = values_min(count, SCRATCH_BYTES / bytes);
        values_table(&stream->source, entry, count, stream->scratch);
        *run = stream->scratch;
    }
    stream->position += count;
    stream->left -= count;
    return count;
}
