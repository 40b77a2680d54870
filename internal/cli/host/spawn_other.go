//go:build !unix

package host

import "errors"

// Spawn reports that this system has no session host.
func Spawn(string, []string, []string) (<-chan error, error) {
	return nil, errors.ErrUnsupported
}
