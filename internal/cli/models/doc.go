// Package models has the commands of `parley models`: they list the models of a login, and agree to the terms of one.
//
// In come the stream of a run and the catalog of the login, as [Options]. Out goes the command ([Command]). Nothing is agreed to
// without the flag that says so.
package models
