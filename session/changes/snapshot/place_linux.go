package snapshot

import "golang.org/x/sys/unix"

func renameAt(dir int, old, name string) error {
	return unix.Renameat2(dir, old, dir, name, unix.RENAME_NOREPLACE)
}

func exchangeAt(dir int, a, b string) error {
	return unix.Renameat2(dir, a, dir, b, unix.RENAME_EXCHANGE)
}
