// Package doctor checks the user's setup for `parley doctor`: the configuration, directories, rules, runtimes, and the login.
//
// In come the parts of a run as [Options]. Out go results with what is there, or what is wrong and how to fix it ([Examine]),
// which [Print] prints as a list. It looks at files and asks programs for their versions; the login and the service are asked
// through a client that it gets. It changes nothing but to create directories of parley that are not there yet.
package doctor
