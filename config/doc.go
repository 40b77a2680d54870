// Package config turns defaults, the configuration file, the environment and flags into one [Config], in that order of
// precedence, the last winning.
//
// In come a file path, an environment and a flag set; out go plain structs, the source of every value, and warnings.
// Every key is declared once, in keys.go; defaults, validation, the JSON schema, the environment names and the generated
// documentation follow from that table. The file is checked as YAML nodes, so that every complaint names file and line.
//
// A [Writer] changes one key of the file, and no other byte.
//
// This is the only package that imports viper. Of parley it imports only rooms below internal.
package config
