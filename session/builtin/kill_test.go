package builtin

const killVariable = "PARLEY_BUILTIN_TEST_KILL"

func streamForever(string) {}
