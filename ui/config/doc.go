// Package config shows the settings that people change, for the commands /config, /theme and /vim, and changes them.
//
// In come the user's settings with their sources. Out go lists of them and of what they can be, and effects: a setting is applied
// to what is shown where that is possible at once, and written into the configuration file.
//
// The package reads and writes nothing itself, and does not know what a setting does.
package config
