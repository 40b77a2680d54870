//go:build contract

package builtin_test

import "testing"

// TestContractLongSession holds the whole long session. The test without the tag holds its beginning.
func TestContractLongSession(t *testing.T) { converseLong(t, 2000) }
