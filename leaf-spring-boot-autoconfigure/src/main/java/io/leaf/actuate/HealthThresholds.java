/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.leaf.actuate;

import java.time.Duration;

/**
 * From where on the health warns.
 *
 * @param lowBuffer the part of a step below which too few numbers are left while fetching
 * fails, 0 to 1
 * @param lowHorizon the part of the lease window below which too little of a lease is
 * left while it is not renewed, 0 to 1
 * @param maxDrift how far the clocks may be apart
 * @param layoutWarning how long before its end a layout is near it
 */
public record HealthThresholds(double lowBuffer, double lowHorizon, Duration maxDrift, Duration layoutWarning) {

}
