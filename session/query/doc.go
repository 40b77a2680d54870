// Package query reads what sessions are looked for by: words, quoted phrases, and filters such as agent:claude or before:2026-01-31.
//
// In comes a line of text, with the present time and directory. Out come the words, and whether the description of a session passes the
// filters. It is pure: it reads no session, and the words are looked for by others.
package query
