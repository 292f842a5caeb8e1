// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure.application;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class TestApplication {

}
