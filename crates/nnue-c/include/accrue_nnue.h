/*
 * accrue_nnue: efficiently updatable neural networks for board games.
 *
 * Generated from the source by `WRITE_HEADER=1 cargo test -p nnue-c --test header`; do not edit.
 *
 * Load a network, make an evaluator for each thread, and two accumulators, one for each perspective,
 * for each position of the line that the search visits. Refresh the accumulators of the root from the
 * active features; after a move, update the next ones by the features that have changed.
 *
 *     AccrueNetwork *network;
 *     if (accrue_network_load("chess.net", &network) != ACCRUE_STATUS_OK) {
 *         fprintf(stderr, "%s\n", accrue_last_error());
 *         return 1;
 *     }
 *     AccrueEvaluator *evaluator;
 *     AccrueAccumulator *white[2], *black[2];
 *     accrue_evaluator_new(network, &evaluator);
 *     for (int ply = 0; ply < 2; ply++) {
 *         accrue_accumulator_new(network, &white[ply]);
 *         accrue_accumulator_new(network, &black[ply]);
 *     }
 *
 *     accrue_accumulator_refresh(white[0], white_features, 32);
 *     accrue_accumulator_refresh(black[0], black_features, 32);
 *
 *     accrue_accumulator_update(white[0], white[1], white_added, 1, white_removed, 1);
 *     accrue_accumulator_update(black[0], black[1], black_added, 1, black_removed, 1);
 *     int32_t centipawns;
 *     accrue_evaluate(evaluator, white[1], black[1], 1, 32, &centipawns);
 *
 * Errors. A function that can fail returns a status; accrue_last_error() then returns a message. A
 * failed call changes nothing that its arguments point to, unless the status is
 * ACCRUE_STATUS_INTERNAL. Null pointers, features and rows that the network does not have, and
 * accumulators of another network are errors. The caller must ensure that a pointer that is not NULL
 * points to the right object, and that nothing is used after it was freed.
 *
 * Threads. Any number of threads may use a network at once, one at a time an evaluator; one thread
 * may change an accumulator, or several may read it.
 *
 * Link with -laccrue_nnue.
 */

#ifndef ACCRUE_NNUE_H
#define ACCRUE_NNUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The status of a call.
 */
typedef enum {
  /**
   * The call succeeded.
   */
  ACCRUE_STATUS_OK = 0,
  /**
   * A required pointer is NULL.
   */
  ACCRUE_STATUS_NULL_POINTER = 1,
  /**
   * An argument is out of range, or belongs to another network.
   */
  ACCRUE_STATUS_ARGUMENT = 2,
  /**
   * A file cannot be read.
   */
  ACCRUE_STATUS_IO = 3,
  /**
   * The bytes are not a network.
   */
  ACCRUE_STATUS_FORMAT = 4,
  /**
   * A bug of this library. The outputs of the call may be incomplete.
   */
  ACCRUE_STATUS_INTERNAL = 5,
} AccrueStatus;

/**
 * The sums of the first layer of a network for one perspective of a position.
 *
 * One thread may change it, or several may read it, at a time.
 */
typedef struct AccrueAccumulator AccrueAccumulator;

/**
 * A network with the buffers of its evaluation. Not for several threads at once: make one for
 * each.
 */
typedef struct AccrueEvaluator AccrueEvaluator;

/**
 * A network. It is immutable: any number of threads may use it at once.
 */
typedef struct AccrueNetwork AccrueNetwork;

/**
 * The outputs of a network for a position, for the side to move.
 */
typedef struct {
  /**
   * The value in centipawns: that of the value head; without one the median of the quantiles, or
   * the value of the win, draw and loss probabilities.
   */
  int32_t value;
  /**
   * Whether the network has probabilities of win, draw and loss.
   */
  bool has_wdl;
  /**
   * Whether the network has quantiles.
   */
  bool has_quantiles;
  /**
   * The probabilities of win, draw and loss; 0 without them.
   */
  float wdl[3];
  /**
   * The quantiles of the value at 10, 25, 50, 75 and 90 %, in centipawns; 0 without them.
   */
  int32_t quantiles[5];
} AccrueOutputs;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the error message of the last failed call of this thread: English text in UTF-8, empty
 * if no call failed.
 *
 * The text is valid until the next call of any function of this library by the same thread.
 */
const char *accrue_last_error(void);

/**
 * The version of this library, for example `0.1.0`.
 */
const char *accrue_version(void);

/**
 * Reads a network from the file at `path`, in the format of accrue, noru or Stockfish, and sets
 * `*out` to it.
 *
 * `path` is in the encoding of the system; on Windows it is UTF-8. Free the network with
 * `accrue_network_free`.
 */
AccrueStatus accrue_network_load(const char *path, AccrueNetwork **out);

/**
 * Reads a network from `length` bytes and sets `*out` to it; see `accrue_network_load`. The bytes
 * are not needed afterwards.
 */
AccrueStatus accrue_network_from_memory(const uint8_t *bytes, size_t length, AccrueNetwork **out);

/**
 * Frees a network. Does nothing for NULL.
 *
 * Accumulators and evaluators of the network stay valid; they keep the parts of it that they need.
 */
void accrue_network_free(AccrueNetwork *network);

/**
 * Returns the number of features of the network: every feature is below it. 0 if `network` is
 * NULL.
 */
size_t accrue_network_features(const AccrueNetwork *network);

/**
 * Returns the number of perspectives of the network: 2, or 1 if it reads only White's. 0 if
 * `network` is NULL.
 */
size_t accrue_network_perspectives(const AccrueNetwork *network);

/**
 * Returns the number of sums of an accumulator. 0 if `network` is NULL.
 */
size_t accrue_network_width(const AccrueNetwork *network);

/**
 * Returns the number of policy rows for the cell that a move leaves: rows 0 and up. 0 without a
 * policy, or if `network` is NULL.
 */
size_t accrue_network_policy_from(const AccrueNetwork *network);

/**
 * Returns the number of policy rows for the cell that a move enters: those that follow
 * `accrue_network_policy_from`. 0 without a policy, or if `network` is NULL.
 */
size_t accrue_network_policy_to(const AccrueNetwork *network);

/**
 * Returns a description of the network in one line of UTF-8, for example
 * `chess.piece-square (768→256)×2→1 screlu`.
 *
 * The network owns the text. NULL if `network` is NULL.
 */
const char *accrue_network_architecture(const AccrueNetwork *network);

/**
 * Returns the name of the feature set, for example `chess.piece-square`. Compare it before
 * computing features.
 *
 * The network owns the text. NULL if `network` is NULL.
 */
const char *accrue_network_feature_set(const AccrueNetwork *network);

/**
 * Returns the instruction set that evaluates the network on this processor, for example `avx2`.
 *
 * The network owns the text. NULL if `network` is NULL.
 */
const char *accrue_network_kernel(const AccrueNetwork *network);

/**
 * Makes an accumulator for `network` without active features, and sets `*out` to it.
 *
 * Free it with `accrue_accumulator_free`.
 */
AccrueStatus accrue_accumulator_new(const AccrueNetwork *network, AccrueAccumulator **out);

/**
 * Frees an accumulator. Does nothing for NULL.
 */
void accrue_accumulator_free(AccrueAccumulator *accumulator);

/**
 * Copies `from` to `to`. Both must be of the same network.
 */
AccrueStatus accrue_accumulator_copy(const AccrueAccumulator *from, AccrueAccumulator *to);

/**
 * Refreshes `accumulator`: sets it to the sum of `count` active features. `features` may be NULL
 * if there are none.
 */
AccrueStatus accrue_accumulator_refresh(AccrueAccumulator *accumulator,
                                        const uint32_t *features,
                                        size_t count);

/**
 * Sets `child` to `parent` with some features added and others removed, as after a move. Both must
 * be of the same network. A list may be NULL if it is empty.
 *
 * `child` may be `parent`, which is slightly slower.
 */
AccrueStatus accrue_accumulator_update(const AccrueAccumulator *parent,
                                       AccrueAccumulator *child,
                                       const uint32_t *added,
                                       size_t added_count,
                                       const uint32_t *removed,
                                       size_t removed_count);

/**
 * Makes an evaluator for `network` and sets `*out` to it.
 *
 * Free it with `accrue_evaluator_free`.
 */
AccrueStatus accrue_evaluator_new(const AccrueNetwork *network, AccrueEvaluator **out);

/**
 * Frees an evaluator. Does nothing for NULL.
 */
void accrue_evaluator_free(AccrueEvaluator *evaluator);

/**
 * Sets `*out` to the value of a position in centipawns, for the side to move.
 *
 * `white` and `black` are the perspectives of the two players; for a network with one perspective
 * `black` may be NULL. `side_to_move` is 0 for White and 1 for Black. `pieces`, the number of
 * pieces on the board, selects the output bucket.
 */
AccrueStatus accrue_evaluate(AccrueEvaluator *evaluator,
                             const AccrueAccumulator *white,
                             const AccrueAccumulator *black,
                             uint32_t side_to_move,
                             size_t pieces,
                             int32_t *out);

/**
 * Sets `*out` to all outputs of the network for a position but the policy; see `accrue_evaluate`.
 */
AccrueStatus accrue_outputs(AccrueEvaluator *evaluator,
                            const AccrueAccumulator *white,
                            const AccrueAccumulator *black,
                            uint32_t side_to_move,
                            size_t pieces,
                            AccrueOutputs *out);

/**
 * Writes the policy logits of `rows` to `logits`, `count` of each; see `accrue_evaluate`.
 *
 * Rows for the cell that a move leaves come first, then those for the cell that it enters, from
 * the perspective of the side to move. The logit of a move is the sum of its two. A network
 * without a policy is an error.
 */
AccrueStatus accrue_policy(AccrueEvaluator *evaluator,
                           const AccrueAccumulator *white,
                           const AccrueAccumulator *black,
                           uint32_t side_to_move,
                           const uint16_t *rows,
                           float *logits,
                           size_t count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ACCRUE_NNUE_H */
