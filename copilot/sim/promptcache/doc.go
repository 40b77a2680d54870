// Package promptcache remembers beginnings of conversations as the prompt cache of a service does.
//
// In come the parts of each request in their order, marked for the cache or not. Out go the tokens that such a request would
// have read from the cache and written to it.
package promptcache
