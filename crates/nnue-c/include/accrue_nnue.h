/*
 * accrue_nnue: efficiently updatable neural networks for board games.
 *
 * Generated from the source by `WRITE_HEADER=1 cargo test -p nnue-c --test header`; do not edit.
 *
 * Load a network, make an evaluator for each thread, and two accumulators, White's view and Black's, for each
 * position along the line that the search looks at. Fill the root's accumulators from the features that are
 * active; after a move, fill the next ones from what has changed.
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
 * Errors. A function that can fail returns a status; accrue_last_error() then says what was wrong. A failed
 * call changes nothing that its arguments point to, unless the status is ACCRUE_STATUS_INTERNAL. Null
 * pointers, features and rows that the network does not have, and accumulators of another network are
 * errors. It is up to you that a pointer that is not NULL points to what is asked for, and that nothing is
 * used after it was freed.
 *
 * Threads. A network may be used by any number of threads at once, an evaluator by one at a time, an
 * accumulator by one that changes it or several that read it.
 *
 * Link with -laccrue_nnue.
 */

#ifndef ACCRUE_NNUE_H
#define ACCRUE_NNUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * What became of a call.
 */
typedef enum {
  /**
   * It did what was asked.
   */
  ACCRUE_STATUS_OK = 0,
  /**
   * A pointer is NULL that must not be.
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
   * A fault of this library. What the call was to write may be half written.
   */
  ACCRUE_STATUS_INTERNAL = 5,
} AccrueStatus;

/**
 * What the first layer of a network has summed up for one view of a position.
 *
 * One thread may change it, or several read it, at a time.
 */
typedef struct AccrueAccumulator AccrueAccumulator;

/**
 * A network with the memory that evaluations need. Not for several threads at once: make one for each.
 */
typedef struct AccrueEvaluator AccrueEvaluator;

/**
 * A network. It never changes: any number of threads may use one at once.
 */
typedef struct AccrueNetwork AccrueNetwork;

/**
 * What a network says about a position, for the side to move.
 */
typedef struct {
  /**
   * Centipawns: the value head's; without one the median of the quantiles, or what the chances of winning
   * and losing amount to.
   */
  int32_t value;
  /**
   * Whether the network has chances of a win, a draw and a loss.
   */
  bool has_wdl;
  /**
   * Whether the network has quantiles.
   */
  bool has_quantiles;
  /**
   * The chances of a win, a draw and a loss; 0 where there are none.
   */
  float wdl[3];
  /**
   * Centipawns that the value is below with a chance of 10, 25, 50, 75 and 90 %; 0 where there are none.
   */
  int32_t quantiles[5];
} AccrueOutputs;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Why the last call of this thread that failed did so: a text in English, in UTF-8, empty if none has.
 *
 * The text stays where it is until the thread's next call of any function of this library.
 */
const char *accrue_last_error(void);

/**
 * The version of this library, for example `0.1.0`.
 */
const char *accrue_version(void);

/**
 * Reads a network from the file at `path`, which is accrue's own, noru's or Stockfish's, and sets `*out` to
 * it.
 *
 * `path` is as the system writes paths; on Windows it is in UTF-8. Free the network with
 * `accrue_network_free`.
 */
AccrueStatus accrue_network_load(const char *path,
                                 AccrueNetwork **out);

/**
 * Reads a network from `length` bytes and sets `*out` to it; see `accrue_network_load`. The bytes are not
 * needed afterwards.
 */
AccrueStatus accrue_network_from_memory(const uint8_t *bytes,
                                        size_t length,
                                        AccrueNetwork **out);

/**
 * Frees a network. NULL is nothing.
 *
 * Accumulators and evaluators of the network may live on; they keep what they need of it.
 */
void accrue_network_free(AccrueNetwork *network);

/**
 * How many features the network has: every feature is below. 0 if `network` is NULL.
 */
size_t accrue_network_features(const AccrueNetwork *network);

/**
 * How many views of a position the network has: 2, or 1 if it reads White's alone. 0 if `network` is NULL.
 */
size_t accrue_network_perspectives(const AccrueNetwork *network);

/**
 * How many sums an accumulator has. 0 if `network` is NULL.
 */
size_t accrue_network_width(const AccrueNetwork *network);

/**
 * How many policy rows are for the cell that a move leaves: rows 0 and up. 0 without a policy, or if
 * `network` is NULL.
 */
size_t accrue_network_policy_from(const AccrueNetwork *network);

/**
 * How many policy rows are for the cell that a move enters: those that follow
 * `accrue_network_policy_from`. 0 without a policy, or if `network` is NULL.
 */
size_t accrue_network_policy_to(const AccrueNetwork *network);

/**
 * The network in one line of UTF-8, for example `chess.piece-square (768→256)×2→1 screlu`.
 *
 * The text is the network's, and goes with it. NULL if `network` is NULL.
 */
const char *accrue_network_architecture(const AccrueNetwork *network);

/**
 * The name of the feature set, for example `chess.piece-square`: what to compare before computing features.
 *
 * The text is the network's, and goes with it. NULL if `network` is NULL.
 */
const char *accrue_network_feature_set(const AccrueNetwork *network);

/**
 * The instructions that the network is evaluated with on this processor, for example `avx2`.
 *
 * The text is the network's, and goes with it. NULL if `network` is NULL.
 */
const char *accrue_network_kernel(const AccrueNetwork *network);

/**
 * Makes an accumulator for `network`, as if no feature were active, and sets `*out` to it.
 *
 * Free it with `accrue_accumulator_free`.
 */
AccrueStatus accrue_accumulator_new(const AccrueNetwork *network, AccrueAccumulator **out);

/**
 * Frees an accumulator. NULL is nothing.
 */
void accrue_accumulator_free(AccrueAccumulator *accumulator);

/**
 * Sets `to` to what `from` is. Both are of the same network.
 */
AccrueStatus accrue_accumulator_copy(const AccrueAccumulator *from, AccrueAccumulator *to);

/**
 * Sets `accumulator` to the sum of `count` active features. `features` may be NULL if there is none.
 */
AccrueStatus accrue_accumulator_refresh(AccrueAccumulator *accumulator,
                                        const uint32_t *features,
                                        size_t count);

/**
 * Sets `child` to `parent` with some features added and others removed: what a move does. Both are of the
 * same network. A list may be NULL if it is empty.
 *
 * `child` may be `parent`, which takes a little longer.
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
 * Frees an evaluator. NULL is nothing.
 */
void accrue_evaluator_free(AccrueEvaluator *evaluator);

/**
 * Sets `*out` to the value of a position in centipawns, for the side to move.
 *
 * `white` and `black` are the two players' views; for a network with one perspective `black` may be NULL.
 * `side_to_move` is 0 for White and 1 for Black. `pieces`, the number of pieces on the board, chooses the
 * output bucket.
 */
AccrueStatus accrue_evaluate(AccrueEvaluator *evaluator,
                             const AccrueAccumulator *white,
                             const AccrueAccumulator *black,
                             uint32_t side_to_move,
                             size_t pieces,
                             int32_t *out);

/**
 * Sets `*out` to all that the network says about a position but the policy; see `accrue_evaluate`.
 */
AccrueStatus accrue_outputs(AccrueEvaluator *evaluator,
                            const AccrueAccumulator *white,
                            const AccrueAccumulator *black,
                            uint32_t side_to_move,
                            size_t pieces,
                            AccrueOutputs *out);

/**
 * Writes the policy's logits numbered `rows` to `logits`, `count` of each; see `accrue_evaluate`.
 *
 * Rows for the cell that a move leaves come first, then those for the cell it enters, as the side to move
 * sees the board. A move's logit is the sum of its two. A network without a policy is an error.
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
