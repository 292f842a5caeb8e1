// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.IntStream;

import io.leaf.text.Part.Check;
import io.leaf.text.Part.Kind;
import io.leaf.text.Part.Literal;
import io.leaf.text.Part.Number;
import org.jspecify.annotations.Nullable;

/**
 * Finds texts that two formats could parse as different IDs. Unless it is known that both
 * formats parse every common text as the same ID, this class searches for any text that
 * both formats accept.
 * <p>
 * Each format is treated as a sequence of places, one for each character. In a number of
 * variable width, all places except the first are optional. The search advances in both
 * sequences at the same time, by characters that both formats accept. The search checks
 * neither the ranges of numbers, nor leading zeros, nor whether a check character is
 * correct. It may therefore find a text that one of the formats does not accept. However,
 * if there is a text that both formats accept, the search always finds this text or
 * another one.
 */
final class CommonText {

	private final List<Place> first;

	private final List<Place> second;

	private CommonText(List<Place> first, List<Place> second) {
		this.first = first;
		this.second = second;
	}

	/**
	 * Searches for a text that two formats of a key could parse as different IDs.
	 * @return a text, which is not certain to be accepted by both formats or to have two
	 * IDs, or {@code null}, in which case no text has different IDs in the two formats
	 */
	static @Nullable String example(List<Part> first, List<Part> second) {
		return readAlike(first, second) ? null : new CommonText(places(first), places(second)).search();
	}

	/**
	 * Returns whether each text that two formats accept has the same ID in both. This is
	 * the case if the formats differ at most in the widths of numbers, and if every
	 * number begins and ends at the same place in both formats.
	 */
	private static boolean readAlike(List<Part> first, List<Part> second) {
		if (first.equals(second)) {
			return true;
		}
		return first.size() == second.size()
				&& IntStream.range(0, first.size()).allMatch((i) -> differInWidthAtMost(first.get(i), second.get(i)))
				&& IntStream.range(0, first.size()).allMatch((i) -> endsAtTheSamePlace(first, second, i));
	}

	private static boolean differInWidthAtMost(Part one, Part other) {
		return one.equals(other)
				|| (one instanceof Number first && other instanceof Number second && first.kind() == second.kind()
						&& first.kind() != Kind.MASKED && first.alphabet() == second.alphabet());
	}

	/**
	 * Returns whether a part that begins at the same place in both formats also ends at
	 * the same place. A number ends at the same place if it has the same fixed width in
	 * both formats, if the number is followed by a literal that cannot be read as part of
	 * the number, or if no other number follows, because all parts after the number then
	 * have a fixed length. All other parts always end at the same place.
	 */
	private static boolean endsAtTheSamePlace(List<Part> parts, List<Part> other, int index) {
		if (!(parts.get(index) instanceof Number number) || number.kind() == Kind.ID
				|| (number.isFixedWidth() && number.equals(other.get(index)))) {
			return true;
		}
		return index + 1 < parts.size() && parts.get(index + 1) instanceof Literal literal
				&& !number.alphabet().continuesWith(literal.text().charAt(0))
				|| parts.subList(index + 1, parts.size()).stream().noneMatch(Number.class::isInstance);
	}

	private static List<Place> places(List<Part> parts) {
		List<Place> places = new ArrayList<>();
		Part previous = null;
		for (Part part : parts) {
			if (part instanceof Literal literal) {
				literal.text().chars().forEach((c) -> places.add(new Place(Character.toString(c), false, false)));
			}
			else if (part instanceof Number number) {
				String characters = number.alphabet().readable();
				int width = number.maxWidth() + ((number.kind() == Kind.MASKED) ? 1 : 0);
				for (int i = 0; i < width; i++) {
					places.add(new Place(characters, i > 0 && !number.isFixedWidth(),
							i > 0 && number.alphabet().skipsHyphens()));
				}
			}
			else if (part instanceof Check check) {
				places.add(new Place(check.readable(), false,
						previous instanceof Number && check.alphabet().skipsHyphens()));
			}
			previous = part;
		}
		return places;
	}

	private @Nullable String search() {
		Map<Position, String> reached = new HashMap<>();
		Queue<Position> open = new ArrayDeque<>();
		reached.put(new Position(0, 0), "");
		open.add(new Position(0, 0));
		while (!open.isEmpty()) {
			Position position = open.remove();
			String text = reached.get(position);
			Set<Integer> firstPlaces = placesFrom(this.first, position.first());
			Set<Integer> secondPlaces = placesFrom(this.second, position.second());
			if (firstPlaces.contains(this.first.size()) && secondPlaces.contains(this.second.size())) {
				return text;
			}
			for (int i : firstPlaces) {
				for (int j : secondPlaces) {
					steps(i, j).forEach((next, character) -> {
						if (reached.putIfAbsent(next, text + character) == null) {
							open.add(next);
						}
					});
				}
			}
		}
		return null;
	}

	/**
	 * Returns the places to which the next character may belong. They include the end of
	 * the format if only optional places are left.
	 */
	private static Set<Integer> placesFrom(List<Place> places, int from) {
		Set<Integer> next = new HashSet<>(Set.of(from));
		for (int i = from; i < places.size() && places.get(i).optional(); i++) {
			next.add(i + 1);
		}
		return next;
	}

	private Map<Position, Character> steps(int i, int j) {
		Map<Position, Character> steps = new HashMap<>();
		if (i < this.first.size() && j < this.second.size()) {
			Place one = this.first.get(i);
			Place other = this.second.get(j);
			// prefers the character 1 over 0, because a number of variable width has no
			// leading zeros
			if (one.accepts('1') && other.accepts('1')) {
				steps.put(new Position(i + 1, j + 1), '1');
			}
			else {
				one.characters()
					.chars()
					.filter(other::accepts)
					.findFirst()
					.ifPresent((c) -> steps.put(new Position(i + 1, j + 1), (char) c));
			}
			if (one.afterHyphens() && other.accepts('-')) {
				steps.put(new Position(i, j + 1), '-');
			}
			if (other.afterHyphens() && one.accepts('-')) {
				steps.put(new Position(i + 1, j), '-');
			}
		}
		return steps;
	}

	/**
	 * A place for one character of a text.
	 *
	 * @param characters the characters that are accepted
	 * @param optional whether the character may be left out
	 * @param afterHyphens whether hyphens before the character are skipped
	 */
	private record Place(String characters, boolean optional, boolean afterHyphens) {

		boolean accepts(int c) {
			return this.characters.indexOf(c) >= 0;
		}

	}

	/**
	 * How many places of each format the search has passed.
	 */
	private record Position(int first, int second) {

	}

}
