// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.zookeeper;

import io.leaf.IdGenerator;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Service;

/**
 * An application without a database.
 */
@SpringBootApplication
public class ZooKeeperApplication {

	public static void main(String[] args) {
		SpringApplication.run(ZooKeeperApplication.class, args);
	}

	/**
	 * Assigns IDs to messages.
	 */
	@Service
	static class Messages {

		private final IdGenerator ids;

		Messages(IdGenerator ids) {
			this.ids = ids;
		}

		long send() {
			return this.ids.nextId("message");
		}

	}

}
