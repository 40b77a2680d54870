// Package models lists what the next request can use: models, their reasoning efforts, and permission modes.
//
// In come what the login can use and what is used now; out go lists and their effects. The package asks no service.
package models
