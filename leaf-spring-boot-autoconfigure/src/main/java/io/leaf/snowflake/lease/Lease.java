// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

/**
 * The right to use a worker ID up to a timestamp. All times are milliseconds since
 * 1970-01-01T00:00:00Z.
 *
 * @param owner a text that identifies the claim, different for every claim;
 * {@link #NO_OWNER} if the lease was released
 * @param horizon the largest timestamp, inclusive, that the owner may put into an ID; if
 * the lease was released, the largest timestamp that has been used
 * @param host the label of the process that wrote the lease, {@code host:port}
 * @param since when the process made or resumed the claim, by its own wall clock
 * @param reported when the process wrote the lease, by its own wall clock
 * @param version a random number from 0 to {@link #MAX_VERSION} that distinguishes the
 * write of this lease from every other write. The next write of the lease record names
 * this version as the version to replace
 */
public record Lease(String owner, long horizon, String host, long since, long reported, long version) {

	/**
	 * The owner of a lease that was released.
	 */
	public static final String NO_OWNER = "";

	/**
	 * The end of the year 9999. All times lie between 1970-01-01T00:00:00Z and this time;
	 * other values are invalid.
	 */
	public static final long MAX_TIME = 253_402_300_799_999L;

	/**
	 * The largest version. It has 18 digits, which every store can represent.
	 */
	static final long MAX_VERSION = 999_999_999_999_999_999L;

	/**
	 * Returns whether the lease was released.
	 * @return whether it has no owner
	 */
	public boolean isReleased() {
		return this.owner.equals(NO_OWNER);
	}

}
