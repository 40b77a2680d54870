package trust

// nonBlocking is not needed: named pipes are not files here.
const nonBlocking = 0
