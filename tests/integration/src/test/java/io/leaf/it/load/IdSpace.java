// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

/**
 * What a caller draws from.
 *
 * @param key the key it names
 * @param ledger what has been drawn
 */
record IdSpace(String key, IdLedger ledger) {

}
