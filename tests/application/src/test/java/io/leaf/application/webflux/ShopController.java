// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.webflux;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.LeafId;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.repository.R2dbcRepository;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

interface InvoiceRepository extends R2dbcRepository<Invoice, Long> {

}

interface RefundRepository extends R2dbcRepository<Refund, Long> {

}

interface PaymentRepository extends R2dbcRepository<Payment, Long> {

}

/**
 * Saves entities with {@code @LeafId}, and draws IDs itself, both on threads that can
 * block and on the event loop.
 */
@RestController
class ShopController {

	private final InvoiceRepository invoices;

	private final RefundRepository refunds;

	private final PaymentRepository payments;

	private final IdGenerator ids;

	ShopController(InvoiceRepository invoices, RefundRepository refunds, PaymentRepository payments, IdGenerator ids) {
		this.invoices = invoices;
		this.refunds = refunds;
		this.payments = payments;
		this.ids = ids;
	}

	@PostMapping("/invoices")
	Mono<Invoice> invoice(@RequestParam String customer) {
		return this.invoices.save(new Invoice(null, customer));
	}

	@PostMapping("/refunds")
	Mono<Refund> refund(@RequestParam String customer) {
		return this.refunds.save(new Refund(null, customer));
	}

	@PostMapping("/payments")
	Mono<Payment> payment(@RequestParam long cents) {
		return this.payments.save(new Payment(null, cents));
	}

	// from docs/persistence.md
	@GetMapping("/ids/{key}")
	Mono<Long> next(@PathVariable String key) {
		return Mono.fromCompletionStage(() -> this.ids.sequence(key).nextIdAsync());
	}
	// end of docs/persistence.md

	@GetMapping("/ids/{key}/{count}")
	Mono<Long> take(@PathVariable String key, @PathVariable int count) {
		return Mono.fromCallable(() -> distinct(this.ids.nextIds(key, count))).subscribeOn(Schedulers.boundedElastic());
	}

	@GetMapping("/event-loop/ids/{key}")
	Mono<Long> nextOnTheEventLoop(@PathVariable String key) {
		return Mono.just(this.ids.nextId(key));
	}

	@GetMapping("/event-loop/ids/{key}/{count}")
	Mono<Long> takeOnTheEventLoop(@PathVariable String key, @PathVariable int count) {
		return Mono.just(distinct(this.ids.nextIds(key, count)));
	}

	@GetMapping("/event-loop/async/{key}/{count}")
	Mono<Long> takeAsync(@PathVariable String key, @PathVariable int count) {
		IdSequence sequence = this.ids.sequence(key);
		List<CompletableFuture<Long>> calls = Stream.generate(() -> sequence.nextIdAsync().toCompletableFuture())
			.limit(count)
			.toList();
		return Mono.fromFuture(CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new)))
			.then(Mono.fromCallable(() -> calls.stream().map(CompletableFuture::join).distinct().count()));
	}

	private static long distinct(long[] ids) {
		return LongStream.of(ids).distinct().count();
	}

}

// from docs/persistence.md
record Invoice(@Id @LeafId Long id, String customer) {
}
// end of docs/persistence.md

/**
 * An entity whose key has no row before its first save.
 */
record Refund(@Id @LeafId Long id, String customer) {
}

/**
 * An entity with a snowflake ID.
 */
record Payment(@Id @LeafId("payment") Long id, long cents) {
}
