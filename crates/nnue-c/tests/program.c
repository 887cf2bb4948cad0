/*
 * Evaluates positions through the C interface, for c_program.rs to compare with the Rust one.
 *
 *     program positions NETWORK FILE    prints a line for each position
 *     program faults NETWORK TRUNCATED MISSING
 *
 * A position in the file is: side to move, number of pieces, then for White's view and for Black's the
 * active features, those added since the position before, and those removed; each list after its length.
 */
#include "accrue_nnue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, VIEWS = 2, LISTS = 3, ACTIVE = 0, ADDED = 1, REMOVED = 2 };

typedef struct {
    uint32_t features[MOST];
    size_t count;
} List;

typedef struct {
    unsigned side, pieces;
    List lists[VIEWS][LISTS];
} Position;

static void check(AccrueStatus status, const char *what)
{
    if (status != ACCRUE_STATUS_OK) {
        fprintf(stderr, "%s: status %d: %s\n", what, (int)status, accrue_last_error());
        exit(1);
    }
}

#define CHECK(call) check((call), #call)

static void expect(AccrueStatus status, AccrueStatus wanted, const char *word, const char *what)
{
    const char *message = accrue_last_error();
    if (status != wanted || strstr(message, word) == NULL) {
        fprintf(stderr, "%s: status %d, message `%s`; expected %d with `%s`\n", what, (int)status,
                message, (int)wanted, word);
        exit(1);
    }
}

#define EXPECT(call, wanted, word) expect((call), (wanted), (word), #call)

static int read_position(FILE *file, Position *position)
{
    if (fscanf(file, "%u %u", &position->side, &position->pieces) != 2)
        return 0;
    for (int view = 0; view < VIEWS; view++) {
        for (int kind = 0; kind < LISTS; kind++) {
            List *list = &position->lists[view][kind];
            if (fscanf(file, "%zu", &list->count) != 1 || list->count > MOST)
                exit(1);
            for (size_t i = 0; i < list->count; i++) {
                unsigned feature;
                if (fscanf(file, "%u", &feature) != 1)
                    exit(1);
                list->features[i] = feature;
            }
        }
    }
    return 1;
}

static unsigned bits(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static void print_outputs(const AccrueNetwork *network, AccrueEvaluator *evaluator,
                          AccrueAccumulator *const views[VIEWS], const Position *position)
{
    AccrueOutputs outputs;
    CHECK(accrue_outputs(evaluator, views[0], views[1], position->side, position->pieces, &outputs));
    printf(" | %d %d %d", outputs.value, outputs.has_wdl, outputs.has_quantiles);
    for (int i = 0; i < 3; i++)
        printf(" %08x", bits(outputs.wdl[i]));
    for (int i = 0; i < 5; i++)
        printf(" %d", outputs.quantiles[i]);

    size_t count = accrue_network_policy_from(network) + accrue_network_policy_to(network);
    if (count > 0) {
        uint16_t rows[] = {0, (uint16_t)(count / 3), (uint16_t)(count - 1)};
        float logits[3];
        CHECK(accrue_policy(evaluator, views[0], views[1], position->side, rows, logits, 3));
        printf(" | %08x %08x %08x", bits(logits[0]), bits(logits[1]), bits(logits[2]));
    }
}

static void positions(const char *path, const char *positions_path)
{
    AccrueNetwork *network;
    CHECK(accrue_network_load(path, &network));
    printf("%s\n%s\n%s\n", accrue_network_architecture(network),
           accrue_network_feature_set(network), accrue_network_kernel(network));
    printf("%zu %zu %zu\n", accrue_network_features(network), accrue_network_perspectives(network),
           accrue_network_width(network));
    int views = (int)accrue_network_perspectives(network);

    AccrueEvaluator *evaluator;
    CHECK(accrue_evaluator_new(network, &evaluator));
    /* Black's stay NULL for a network that reads White's view alone. */
    AccrueAccumulator *fresh[VIEWS] = {0}, *before[VIEWS] = {0}, *after[VIEWS] = {0};
    for (int view = 0; view < views; view++) {
        CHECK(accrue_accumulator_new(network, &fresh[view]));
        CHECK(accrue_accumulator_new(network, &before[view]));
        CHECK(accrue_accumulator_new(network, &after[view]));
    }

    FILE *file = fopen(positions_path, "r");
    if (file == NULL)
        exit(1);
    Position position;
    while (read_position(file, &position)) {
        for (int view = 0; view < views; view++) {
            const List *lists = position.lists[view];
            CHECK(accrue_accumulator_refresh(fresh[view], lists[ACTIVE].features,
                                             lists[ACTIVE].count));
            CHECK(accrue_accumulator_update(before[view], after[view], lists[ADDED].features,
                                            lists[ADDED].count, lists[REMOVED].features,
                                            lists[REMOVED].count));
            CHECK(accrue_accumulator_copy(after[view], before[view]));
        }
        int32_t refreshed, updated;
        CHECK(accrue_evaluate(evaluator, fresh[0], fresh[1], position.side, position.pieces,
                              &refreshed));
        CHECK(accrue_evaluate(evaluator, after[0], after[1], position.side, position.pieces,
                              &updated));
        printf("%d %d", refreshed, updated);
        print_outputs(network, evaluator, after, &position);
        printf("\n");
    }
    fclose(file);

    for (int view = 0; view < VIEWS; view++) {
        accrue_accumulator_free(fresh[view]);
        accrue_accumulator_free(before[view]);
        accrue_accumulator_free(after[view]);
    }
    accrue_evaluator_free(evaluator);
    accrue_network_free(network);
}

static void load_faults(const char *path, const char *truncated, const char *missing)
{
    AccrueNetwork *network = NULL;
    EXPECT(accrue_network_load(NULL, &network), ACCRUE_STATUS_NULL_POINTER, "path");
    EXPECT(accrue_network_load(path, NULL), ACCRUE_STATUS_NULL_POINTER, "out");
    EXPECT(accrue_network_load(missing, &network), ACCRUE_STATUS_IO, missing);
    EXPECT(accrue_network_load(truncated, &network), ACCRUE_STATUS_FORMAT, "bytes");
    EXPECT(accrue_network_from_memory(NULL, 9, &network), ACCRUE_STATUS_NULL_POINTER, "bytes");
    EXPECT(accrue_network_from_memory(NULL, 0, &network), ACCRUE_STATUS_FORMAT, "empty");
    EXPECT(accrue_network_from_memory((const uint8_t *)"nonsense", 8, &network),
           ACCRUE_STATUS_FORMAT, "not a network");
    if (network != NULL || accrue_network_features(NULL) != 0 ||
        accrue_network_architecture(NULL) != NULL) {
        fprintf(stderr, "a failed call wrote to its argument, or NULL was answered\n");
        exit(1);
    }
    accrue_network_free(NULL);
    accrue_evaluator_free(NULL);
    accrue_accumulator_free(NULL);
}

static void call_faults(const AccrueNetwork *network, const AccrueNetwork *other)
{
    AccrueEvaluator *evaluator;
    AccrueAccumulator *white, *black, *foreign;
    CHECK(accrue_evaluator_new(network, &evaluator));
    CHECK(accrue_accumulator_new(network, &white));
    CHECK(accrue_accumulator_new(network, &black));
    CHECK(accrue_accumulator_new(other, &foreign));
    EXPECT(accrue_evaluator_new(NULL, &evaluator), ACCRUE_STATUS_NULL_POINTER, "network");
    EXPECT(accrue_accumulator_new(network, NULL), ACCRUE_STATUS_NULL_POINTER, "out");

    uint32_t bad[2] = {0, (uint32_t)accrue_network_features(network)};
    EXPECT(accrue_accumulator_refresh(white, bad, 2), ACCRUE_STATUS_ARGUMENT, "features[1]");
    EXPECT(accrue_accumulator_update(white, black, bad, 2, NULL, 0), ACCRUE_STATUS_ARGUMENT,
           "added[1]");
    EXPECT(accrue_accumulator_update(white, white, NULL, 0, bad, 2), ACCRUE_STATUS_ARGUMENT,
           "removed[1]");
    EXPECT(accrue_accumulator_refresh(white, NULL, 1), ACCRUE_STATUS_NULL_POINTER, "features");
    EXPECT(accrue_accumulator_refresh(white, bad, SIZE_MAX), ACCRUE_STATUS_ARGUMENT, "long");
    EXPECT(accrue_accumulator_refresh(NULL, NULL, 0), ACCRUE_STATUS_NULL_POINTER, "accumulator");
    EXPECT(accrue_accumulator_update(NULL, white, NULL, 0, NULL, 0), ACCRUE_STATUS_NULL_POINTER,
           "parent");
    EXPECT(accrue_accumulator_copy(white, NULL), ACCRUE_STATUS_NULL_POINTER, "to");
    EXPECT(accrue_accumulator_copy(foreign, white), ACCRUE_STATUS_ARGUMENT, "different networks");
    CHECK(accrue_accumulator_refresh(white, NULL, 0));
    CHECK(accrue_accumulator_copy(white, white));

    int32_t value = 12345;
    uint16_t row = UINT16_MAX;
    float logit;
    EXPECT(accrue_evaluate(NULL, white, black, 0, 2, &value), ACCRUE_STATUS_NULL_POINTER,
           "evaluator");
    EXPECT(accrue_evaluate(evaluator, white, NULL, 0, 2, &value), ACCRUE_STATUS_NULL_POINTER,
           "black");
    EXPECT(accrue_evaluate(evaluator, white, foreign, 0, 2, &value), ACCRUE_STATUS_ARGUMENT,
           "different networks");
    EXPECT(accrue_evaluate(evaluator, white, black, 2, 2, &value), ACCRUE_STATUS_ARGUMENT,
           "side_to_move");
    EXPECT(accrue_evaluate(evaluator, white, black, 0, 2, NULL), ACCRUE_STATUS_NULL_POINTER, "out");
    EXPECT(accrue_outputs(evaluator, white, black, 0, 2, NULL), ACCRUE_STATUS_NULL_POINTER, "out");
    EXPECT(accrue_policy(evaluator, white, black, 0, &row, &logit, 1), ACCRUE_STATUS_ARGUMENT,
           "rows[0]");
    row = 0;
    EXPECT(accrue_policy(evaluator, white, black, 0, &row, NULL, 1), ACCRUE_STATUS_NULL_POINTER,
           "logits");
    if (value != 12345) {
        fprintf(stderr, "a failed evaluation wrote %d\n", value);
        exit(1);
    }
    /* Any number of pieces has a bucket. */
    CHECK(accrue_evaluate(evaluator, white, black, 0, SIZE_MAX, &value));

    accrue_accumulator_free(white);
    accrue_accumulator_free(black);
    accrue_accumulator_free(foreign);
    accrue_evaluator_free(evaluator);
}

int main(int count, char **words)
{
    if (count == 4 && strcmp(words[1], "positions") == 0) {
        positions(words[2], words[3]);
    } else if (count == 5 && strcmp(words[1], "faults") == 0) {
        load_faults(words[2], words[3], words[4]);
        AccrueNetwork *network, *other;
        CHECK(accrue_network_load(words[2], &network));
        CHECK(accrue_network_load(words[2], &other));
        call_faults(network, other);
        accrue_network_free(network);
        accrue_network_free(other);
        printf("version %s\n", accrue_version());
    } else {
        fprintf(stderr, "usage: program positions NETWORK FILE | faults NETWORK TRUNCATED MISSING\n");
        return 2;
    }
    return 0;
}
