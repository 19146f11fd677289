package service

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"studycircle"
	"studycircle/internal/csvfile"
)

// The columns of a roster. A name is in one column, or in two: the given and the family name.
const (
	columnEmail  = "email"
	columnName   = "name"
	columnRole   = "role"
	columnLabel  = "label"
	columnGiven  = "givenName"
	columnFamily = "familyName"
	columnSource = "sourcedId"
	// Columns of OneRoster's users.csv that say who is no longer there.
	columnStatus  = "status"
	columnEnabled = "enabledUser"
)

// RosterColumns are the columns of a roster, as users may choose them.
var RosterColumns = []string{
	columnEmail, columnName, columnRole, columnLabel, columnGiven, columnFamily, columnSource,
}

// MemberColumns are the columns of this server's file of members. It has the last two if the roster keeps them.
var MemberColumns = []string{columnEmail, columnName, columnRole, columnLabel, columnFamily, columnSource}

// headings are what other systems call the columns, as csvfile.Fold folds it: Moodle, Canvas, Google Classroom and
// Contacts, Outlook, Sakai, Blackboard and others, in English, German, Spanish and French.
var headings = headingsOf(map[string]string{
	columnEmail: "E-Mail Address, Email addresses, Mail, Primary Email, Student Email, E-mail 1 - Value, " +
		"Account Email, User Principal Name, E-mail address of student, E-Mail-Adresse, E-Mail-Adressen, Mailadresse, " +
		"Dirección de correo, Dirección de correo electrónico, Dirección Email, Correo electrónico, Correo, " +
		"Adresse de courriel, Adresse e-mail, Adresse de messagerie, Adresse électronique, Courriel, Mél, " +
		"Adresse de courrier électronique",
	columnName: "Full name, Student, Student name, Display name, Member, User, User full name, " +
		"Vollständiger Name, Teilnehmer, Student/in, Anzeigename, Nombre completo, Nombre y apellidos, Estudiante, " +
		"Alumno, Nombre para mostrar, Nom complet, Étudiant, Nom affiché, Nombre, Nom",
	columnRole: "Roles, Rolle, Rollen, Rol, Rôle, Rôles, User role",
	columnLabel: "Section, Sections, Section Name, Group, Groups, Class, Team, Gruppe, Gruppen, Abschnitt, Klasse, " +
		"Kurs, Sektion, Sección, Secciones, Grupo, Grupos, Clase, Groupe, Groupes, Classe, Équipe",
	columnGiven: "First name, First, Forename, First name of student, Vorname, Vornamen, Nombre de pila, Prénom, " +
		"Prénoms, Premier prénom",
	columnFamily: "Last name, Last, Surname, Family name of student, Nachname, Familienname, Zuname, Apellido, " +
		"Apellidos, Nom de famille",
	columnSource: "SIS User ID, ID number, Student ID, SID, Org Defined ID, External ID, UIN, Registration number, " +
		"ID-Nummer, Matrikelnummer, Número de ID, Matrícula, Numéro d’identification, Numéro étudiant",
})

func headingsOf(all map[string]string) map[string]string {
	out := map[string]string{}
	for name, texts := range all {
		for text := range strings.SplitSeq(texts, ", ") {
			out[csvfile.Fold(text)] = name
		}
	}
	return out
}

// logins are headings of names for signing in, which are addresses in some places.
var logins = headingsOf(map[string]string{
	columnEmail: "SIS Login ID, Login ID, User ID, UID, Username, Benutzername, Anmeldename, Nombre de usuario, " +
		"Nom d’utilisateur, Identifiant",
})

// summaries begin the rows of grade books that are about the columns, not about a person.
var summaries = []string{
	"pointspossible", "date", "points", "classaverage", "overallaverage", "maximumpoints", "datum", "punkte",
	"moglichepunkte", "fecha", "puntos", "puntosposibles", "pointspossibles",
}

// roles are the names of roles in OneRoster and other systems.
var roles = rolesOf(map[studycircle.CircleRole]string{
	studycircle.CircleMember: "Student, Aide, Proctor, Learner, Participant, Access, StudentEnrollment, Teilnehmer, " +
		"Teilnehmer/in, Student/in, Studierende, Studierender, Schüler, Schülerin, Estudiante, Alumno, Alumna, Étudiant, " +
		"Étudiante, Élève",
	studycircle.CircleOrganizer: "Teacher, Administrator, Instructor, EditingTeacher, Maintain, TeacherEnrollment, " +
		"Trainer, Trainer/in, Lehrer, Lehrerin, Lehrer/in, Dozent, Dozentin, Dozent/in, " +
		"Profesor, Profesora, Enseignant, Enseignante", //nolint:misspell // Spanish
})

func rolesOf(all map[studycircle.CircleRole]string) map[string]studycircle.CircleRole {
	out := map[string]studycircle.CircleRole{}
	for role, names := range all {
		for name := range strings.SplitSeq(names, ", ") {
			out[csvfile.Fold(name)] = role
		}
	}
	return out
}

// ReadRoster reads a table of people, as csvfile reads tables. Its first line names the columns in any order:
// RosterColumns, those of OneRoster's users.csv, or headings of other systems; others are ignored. chosen names the
// heading of a column, or its number after “#”. Without a column of addresses, line 1 is refused. CodeInvalid if the
// file is no table, or has too many lines.
func ReadRoster(file []byte, chosen map[string]string) (r studycircle.Roster, err error) {
	t, err := csvfile.Open(bytes.NewReader(file))
	if errors.Is(err, csvfile.ErrNothing) {
		return r, wrongFile(1, "The file is empty. Its first line names the columns, one of them email.")
	}
	if wrong, is := errors.AsType[*csvfile.Error](err); is {
		return r, wrongFile(wrong.Line, sentence(wrong.Err))
	}
	if err != nil {
		return r, err
	}
	f := rosterFile{table: t, first: map[string]studycircle.RosterLine{}, r: &r}
	if err := f.collect(); err != nil {
		return r, err
	}
	if wrong, is := errors.AsType[*csvfile.Error](f.find(chosen)); is {
		return r, wrongFile(wrong.Line, sentence(wrong.Err))
	}
	f.describe()
	if _, known := f.at[columnEmail]; !known {
		f.refuse(t.Line, studycircle.Errorf(
			studycircle.CodeInvalid, "The first line must name the columns, one of them email. It names: %s.",
			strings.Join(t.Headings[:min(len(t.Headings), 20)], ", "),
		))
		return r, nil
	}
	for _, row := range f.rows {
		f.read(row)
	}
	return r, nil
}

// sentence returns the reason of a csvfile.Error in words.
func sentence(err error) string {
	if strings.HasSuffix(err.Error(), ".") {
		return err.Error()
	}
	if strings.Contains(err.Error(), "quote") || strings.Contains(err.Error(), `"`) {
		return "The quotation marks of this line are not right. Lines after it are not read."
	}
	return strings.ToUpper(err.Error()[:1]) + err.Error()[1:] + "."
}

// wrongFile is the error of a file that cannot be read from a line on.
func wrongFile(line int, message string) error {
	return &studycircle.Error{
		Code: studycircle.CodeInvalid, Message: message,
		Fields: []studycircle.FieldError{{Field: strconv.Itoa(line), Message: message}},
	}
}

// rosterFile is a roster that is read.
type rosterFile struct {
	table *csvfile.Table
	rows  []csvfile.Row
	at    csvfile.Columns
	first map[string]studycircle.RosterLine
	r     *studycircle.Roster
}

func (f *rosterFile) refuse(line int, err error) {
	f.r.Refused = append(f.r.Refused, studycircle.RefusedLine{Line: line, Err: err})
}

// collect reads all rows up to the first wrong one, which is refused.
func (f *rosterFile) collect() error {
	for row, err := range f.table.Rows() {
		if wrong, is := errors.AsType[*csvfile.Error](err); is {
			f.refuse(wrong.Line, studycircle.Errorf(studycircle.CodeInvalid, "%s", sentence(wrong.Err)))
			return nil
		}
		if err != nil {
			return err
		}
		if len(f.rows) == studycircle.MaxRoster {
			return wrongFile(row.Line, "A roster has at most 10,000 lines. Send it in parts.")
		}
		f.rows = append(f.rows, csvfile.Row{Line: row.Line, Cells: slices.Clone(row.Cells)})
	}
	return nil
}

// find finds the columns. A file without headings has an address in its first line.
func (f *rosterFile) find(chosen map[string]string) (err error) {
	names := append([]string{columnStatus, columnEnabled}, RosterColumns...)
	if f.at, err = f.table.Find(names, headings, chosen); err != nil {
		return err
	}
	f.findAddresses(chosen)
	if slices.ContainsFunc(f.table.Headings, isAddress) {
		f.rows = append([]csvfile.Row{{Line: f.table.Line, Cells: f.table.Headings}}, f.rows...)
		if len(f.table.Headings) == 1 {
			f.at[columnEmail] = 0
		}
	}
	f.findNames(chosen)
	return nil
}

// findAddresses leaves a choice between several columns of addresses to users, and finds one of names for signing in
// that are addresses.
func (f *rosterFile) findAddresses(chosen map[string]string) {
	if chosen[columnEmail] != "" {
		return
	}
	i, there := f.at[columnEmail]
	if !there {
		for i, heading := range f.table.Headings {
			if logins[csvfile.Fold(heading)] != "" && f.addressed(i) {
				f.at[columnEmail] = i
				return
			}
		}
		return
	}
	others := 0
	for _, heading := range f.table.Headings {
		if headings[csvfile.Fold(heading)] == columnEmail {
			others++
		}
	}
	if others > 1 && csvfile.Fold(f.table.Headings[i]) != columnEmail {
		delete(f.at, columnEmail)
	}
}

// findNames decides what one column of names means beside one with a part of names: in German and French “Name” is
// then the family name, in Spanish “Nombre” the given one.
func (f *rosterFile) findNames(chosen map[string]string) {
	name, named := f.at[columnName]
	_, given := f.at[columnGiven]
	at, family := f.at[columnFamily]
	if !named || chosen[columnName] != "" || given == family {
		return
	}
	if family && csvfile.Fold(f.table.Headings[at]) == csvfile.Fold(columnFamily) {
		return // the columns of this server
	}
	switch csvfile.Fold(f.table.Headings[name]) {
	case "name", "nom", "nombre":
		delete(f.at, columnName)
		if given {
			f.at[columnFamily] = name
		} else {
			f.at[columnGiven] = name
		}
	}
}

// addressed reports whether the first person has an address in a column.
func (f *rosterFile) addressed(column int) bool {
	for _, row := range f.rows {
		if column < len(row.Cells) && studycircle.Trim(row.Cells[column]) != "" && !f.summary(row) {
			return isAddress(row.Cells[column])
		}
	}
	return false
}

func isAddress(cell string) bool {
	return studycircle.ValidEmail(studycircle.NormalizeEmail(address(cell)))
}

// describe tells users what the columns are, with the first text in each.
func (f *rosterFile) describe() {
	as := map[int]string{}
	for name, i := range f.at {
		as[i] = name
	}
	for i, heading := range f.table.Headings[:min(len(f.table.Headings), 100)] {
		c := studycircle.RosterColumn{Heading: heading, As: as[i]}
		for _, row := range f.rows {
			if c.Example == "" && i < len(row.Cells) && !f.summary(row) {
				c.Example = studycircle.Trim(row.Cells[i])
			}
		}
		if r := []rune(c.Example); len(r) > studycircle.MaxName {
			c.Example = string(r[:studycircle.MaxName])
		}
		f.r.Columns = append(f.r.Columns, c)
	}
}

// cell returns a cell without blanks around it. Addresses are pasted from programs that put invisible characters
// around them, too.
func (f *rosterFile) cell(row csvfile.Row, column string) string {
	i, there := f.at[column]
	if !there || i >= len(row.Cells) {
		return ""
	}
	if column == columnEmail {
		return studycircle.Trim(row.Cells[i])
	}
	return strings.TrimSpace(row.Cells[i])
}

func (f *rosterFile) read(row csvfile.Row) {
	columns := make([]int, 0, len(f.at))
	for _, i := range f.at {
		columns = append(columns, i)
	}
	if wrong, is := errors.AsType[*csvfile.Error](f.table.Check(row, columns...)); is {
		f.refuse(row.Line, studycircle.Errorf(studycircle.CodeInvalid, "%s", sentence(wrong.Err)))
		return
	}
	if f.passes(row) {
		f.r.Passed++ // a roster removes no member by itself
		return
	}
	if f.summary(row) {
		return
	}
	line, err := f.line(row).Clean()
	if err != nil {
		f.refuse(row.Line, err)
		return
	}
	before, twice := f.first[line.Email]
	before.Line = line.Line
	switch {
	case !twice:
		f.first[line.Email] = line
		f.r.Lines = append(f.r.Lines, line)
	case line == before:
		f.r.Passed++
	default:
		f.refuse(line.Line, studycircle.Errorf(
			studycircle.CodeInvalid, "Line %d has this address too, and says something else.", f.first[line.Email].Line,
		))
	}
}

// passes reports whether OneRoster says of the person of a row that they are no longer there.
func (f *rosterFile) passes(row csvfile.Row) bool {
	return strings.EqualFold(f.cell(row, columnStatus), "tobedeleted") ||
		strings.EqualFold(f.cell(row, columnEnabled), "false")
}

// summary reports whether a row of a grade book is about no person, or about the student of Canvas who is none.
func (f *rosterFile) summary(row csvfile.Row) bool {
	if isAddress(f.cell(row, columnEmail)) {
		return false
	}
	first := csvfile.Fold(row.Cells[0])
	return slices.Contains(summaries, first) || first == "studenttest" || first == "teststudent"
}

func (f *rosterFile) line(row csvfile.Row) studycircle.RosterLine {
	l := studycircle.RosterLine{
		Line: row.Line, Email: address(f.cell(row, columnEmail)), Name: f.cell(row, columnName),
		FamilyName: f.cell(row, columnFamily), Role: roleOf(f.cell(row, columnRole)), Label: f.cell(row, columnLabel),
		SourceID: f.cell(row, columnSource),
	}
	if l.Name == "" {
		l.Name = strings.TrimSpace(f.cell(row, columnGiven) + " " + l.FamilyName)
	}
	return l
}

// shown is an address with the name that programs for email put before it, as “Ada Lovelace <ada@example.org>”.
var shown = regexp.MustCompile(`^[^<>]*<([^<>]+)>$`)

// address returns the address of a cell as programs for email and web pages copy it.
func address(cell string) string {
	cell = strings.TrimRight(studycircle.Trim(cell), ";,")
	if text, is := strings.CutPrefix(cell, "'"); is && csvfile.Text(text) == cell {
		cell = text // of a file of this server
	}
	if inside := shown.FindStringSubmatch(cell); inside != nil {
		cell = inside[1]
	}
	if len(cell) > len("mailto:") && strings.EqualFold(cell[:len("mailto:")], "mailto:") {
		cell = cell[len("mailto:"):]
	}
	return cell
}

// roleOf returns the role of a cell: one of ours, or of another system.
func roleOf(cell string) studycircle.CircleRole {
	if role, known := roles[csvfile.Fold(cell)]; known {
		return role
	}
	return studycircle.CircleRole(strings.ToLower(cell))
}
