package clienttools

import "slices"

// qualified returns the name that a runtime which knows the tools as a server's gives to one.
func qualified(tool string) string { return "mcp__" + Name + "__" + tool }

// Names reports whether a list of tools, as a custom agent has one, names a tool of parley: as itself, as a server's, or all of them.
func Names(list []string, tool string) bool {
	return slices.ContainsFunc(list, func(e string) bool {
		return e == "*" || e == tool || e == qualified(tool) || e == "mcp__"+Name || e == Name+"/*" || e == Name+"/"+tool
	})
}
