// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.routing;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class RoutingApplication {

}
