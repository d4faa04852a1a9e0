package machine

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// User is the user who runs the program.
type User struct {
	Name   string
	ID     int
	Groups []int // of this login
}

// CurrentUser returns the user who runs this program. The name is empty if the system does not know it.
func CurrentUser() User {
	u := User{ID: os.Getuid()}
	if known, err := user.Current(); err == nil {
		u.Name = known.Username
	}
	u.Groups, _ = os.Getgroups()
	u.Groups = append(u.Groups, os.Getgid())
	return u
}

// Need is a group whose right was refused to the user.
type Need struct {
	Group string
	For   string // what is refused
}

// CheckGroups reports which of the needed groups the user is not in, and those that only count after the next
// login. Root needs none. It returns the groups that it reported.
func CheckGroups(root string, u User, needs []Need, report Report) (reported []string) {
	if u.ID == 0 || len(needs) == 0 {
		return nil
	}
	members := readGroups(root)
	var join, joinFor, login, loginFor, unknown, unknownFor []string
	for _, n := range needs {
		g, exists := members[n.Group]
		switch {
		case !exists:
			unknown, unknownFor = append(unknown, n.Group), append(unknownFor, n.For)
		case slices.Contains(u.Groups, g.id):
			continue
		case slices.Contains(g.users, u.Name):
			login, loginFor = append(login, n.Group), append(loginFor, n.For)
		default:
			join, joinFor = append(join, n.Group), append(joinFor, n.For)
		}
		reported = append(reported, n.Group)
	}
	if len(unknown) > 0 {
		report("group-missing", "groups", fmt.Sprintf("this machine has no group %s: %s", strings.Join(unknown, ", "), strings.Join(unknownFor, "; ")),
			"install rig's package, or run `make install` in its source folder: both create the group")
	}
	if len(join) > 0 {
		report("groups", "groups", fmt.Sprintf("%s is not in %s: %s", u.Name, strings.Join(join, ", "), strings.Join(joinFor, "; ")),
			"join, then log out and in again: `sudo usermod -aG "+strings.Join(join, ",")+" $USER`")
	}
	if len(login) > 0 {
		report("login", "groups", fmt.Sprintf("%s joined %s after this login: %s", u.Name, strings.Join(login, ", "), strings.Join(loginFor, "; ")),
			"log out of the desktop and in again, or restart the machine")
	}
	return reported
}

// group is an entry of /etc/group.
type group struct {
	id    int
	users []string
}

// readGroups returns the groups of /etc/group by name (group(5)).
func readGroups(root string) map[string]group {
	b, _ := os.ReadFile(filepath.Join(root, "/etc/group"))
	all := map[string]group{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSpace(line), ":")
		if len(f) < 4 {
			continue
		}
		if id, err := strconv.Atoi(f[2]); err == nil {
			all[f[0]] = group{id, strings.Split(f[3], ",")}
		}
	}
	return all
}
