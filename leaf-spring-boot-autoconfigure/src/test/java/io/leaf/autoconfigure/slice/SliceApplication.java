// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application that the slices are tests of.
 */
@SpringBootApplication
class SliceApplication {

}
