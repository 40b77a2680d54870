//go:build unix && !linux && !darwin

package snapshot

import "errors"

func renameAt(int, string, string) error { return errors.ErrUnsupported }

func exchangeAt(int, string, string) error { return errors.ErrUnsupported }
