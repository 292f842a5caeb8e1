// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application of the slice tests.
 */
@SpringBootApplication
class SliceApplication {

}
