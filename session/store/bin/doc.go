// Package bin stores deleted sessions until the user wants them back or gone.
//
// In come the files of a session and its description. They are renamed into a folder, or copied there from another file system, and go
// back to where they were. A session is in the bin with all of its files or not at all: what a kill cut off is put back. It reads no
// session, and deletes only what it is asked to.
package bin
