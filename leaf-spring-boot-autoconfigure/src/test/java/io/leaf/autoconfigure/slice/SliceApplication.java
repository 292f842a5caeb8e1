// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class SliceApplication {

}
