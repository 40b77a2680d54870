// Package delegate is the form with which work is handed over to a service, and the page that shows what a further prompt
// becomes there.
//
// In come keys, a statement or a function that writes one, and what git knows of the directory. Out go rows and
// effects: what is handed over, what is sent, or what goes back into the field.
//
// The form pushes a branch if the user chose so, and starts nothing else. All text is made visible.
package delegate
