package cli

// ruleNotices returns what is wrong with the policy and the rules for a directory.
func (a *app) ruleNotices(dir string) []string {
	var all []string
	if why := a.rules().Policy().Ignored; why != "" {
		all = append(all, why)
	}
	if why := a.rules().Kept(dir).Locked; why != "" {
		all = append(all, why)
	}
	return all
}
