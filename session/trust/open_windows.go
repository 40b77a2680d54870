package trust

// nonBlocking is not needed: named pipes are no files here.
const nonBlocking = 0
