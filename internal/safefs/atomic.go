package safefs

import (
	"errors"
	"os"
	"path/filepath"
	"time"
)

// Suffix ends the names of temporary files.
const Suffix = ".tmp"

// WriteFile replaces a file, mode 0600. It does not sync: a crash of the machine may lose the new content.
func WriteFile(path string, data []byte) error {
	return write(path, data, func(*os.File) error { return nil })
}

// WriteFileSync replaces a file as [WriteFile] does, and syncs the content to disk before the file gets its name.
func WriteFileSync(path string, data []byte) error { return write(path, data, (*os.File).Sync) }

func write(path string, data []byte, sync func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*"+Suffix) // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, sync(f), f.Close()); err == nil {
		err = Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// renameTime bounds how long [Rename] tries: readers of a file have it open for milliseconds.
const renameTime = time.Second

// Rename renames a file, as os.Rename does. Windows refuses that while one of the two names is open: Rename tries again for a second.
func Rename(from, to string) error {
	late := time.Now().Add(renameTime)
	for {
		err := os.Rename(from, to)
		if !inUse(err) || time.Now().After(late) {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
}
