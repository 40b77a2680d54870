package trust

import "errors"

// Agreed returns a directory if the user has agreed to what it brings, as one of the stores has it, else an error.
func Agreed(find func() (string, error), stores ...*Store) (string, error) {
	dir, err := find()
	for _, s := range stores {
		if yes, failed := s.Trusted(dir); err == nil && failed == nil && yes {
			return dir, nil
		}
	}
	return "", errors.Join(err, errors.New("the directory is not trusted"))
}
