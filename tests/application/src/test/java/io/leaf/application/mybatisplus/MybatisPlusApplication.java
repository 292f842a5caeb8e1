// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.mybatisplus;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class MybatisPlusApplication {

}
