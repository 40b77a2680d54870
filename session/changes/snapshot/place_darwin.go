package snapshot

import "golang.org/x/sys/unix"

func renameAt(dir int, old, name string) error {
	return unix.RenameatxNp(dir, old, dir, name, unix.RENAME_EXCL)
}

func exchangeAt(dir int, a, b string) error {
	return unix.RenameatxNp(dir, a, dir, b, unix.RENAME_SWAP)
}
