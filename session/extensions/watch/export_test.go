package watch

// Folders returns how many folders are watched.
func (w *Watcher) Folders() int {
	w.calls.Lock()
	defer w.calls.Unlock()
	return len(w.folders)
}
