// Package wiretest checks requests in tests. In come the messages of a request, out goes what the service would refuse about
// them. It may import wire only.
package wiretest
