import { renderToString } from 'react-dom/server'
import { Email, LevelBadge, Nearness, blankFace } from '@/components/ui'
import { listQueryOf } from '@/features/assignments/list-query'
import { assignmentQuery, listQuery, type Assignment } from '@/features/assignments/queries'
import { queryClient } from '@/lib/query-client'
import { startSession } from '@/lib/session'

/**
 * The first HTML of the pages, as the server fills it in: the app's own components, rendered once with marks
 * (`@@a.title@@`) in the place of what differs from request to request. internal/server/slots.go knows the
 * same marks, and how each is escaped.
 */
interface FirstHTML {
  /** Whole pages, by audience and name: `visitor.home`. */
  pages: Record<string, DrawnPage>
  /** What stands in them as often as there is something to show, or in one of several forms. */
  pieces: {
    /** A card of the list for each audience: the first of all, one above the fold, one below. */
    cards: Record<Audience, { lead: string; eager: string; later: string }>
    levels: Record<Assignment['level'], string>
    /** How near a day is, by whole days from today. */
    near: Record<number, string>
    /** An address with an @, and a word in the place of one. */
    email: { address: string; word: string }
    /** Shown for a user without a photo until the script draws one. */
    blankFace: string
  }
}

interface DrawnPage {
  html: string
  /** The page's own source file, where it has one; the build knows which scripts that needs. */
  source: string | null
}

type Audience = 'visitor' | 'user'
type Render = (path: string) => Promise<string>

const due = '2199-01-02T23:59:59+05:45'
const dueDay = '2199/01/02'
const someone = 'someone@mark.invalid'

const assignment: Assignment = {
  _id: '@@a.id@@',
  title: '@@a.title@@',
  description: '@@a.description@@',
  thumbnail: '@@a.thumbnail@@',
  marks: '@@a.marks@@' as unknown as number,
  level: 'easy',
  dueDate: due,
  creatorEmail: someone,
  creatorName: '@@a.creatorName@@',
  createdAt: due,
  updatedAt: due,
}

const emptyList = '/assignments'
const listPath = '/assignments?search=@@list.search@@'
const detailsPath = `/assignment/${assignment._id}`

export async function firstHTML(render: Render): Promise<FirstHTML> {
  const pages: FirstHTML['pages'] = {}
  const draw = async (name: string, path: string, route: string | null) => {
    pages[name] = { html: await render(path), source: route && `src/routes/${route}.tsx` }
  }
  const drawForAll = async (audience: Audience) => {
    await draw(`${audience}.home`, '/', 'home')
    await draw(`${audience}.about-us`, '/about-Us', 'about')
    await draw(`${audience}.not-found`, '/nowhere', null)
    seedList(emptyList, [])
    await draw(`${audience}.assignments-empty`, emptyList, 'assignments')
    seedList(listPath, [])
    await draw(`${audience}.assignments-none`, listPath, 'assignments')
    seedList(listPath, [assignment, assignment, assignment, assignment])
    await draw(`${audience}.assignments`, listPath, 'assignments')
    queryClient.setQueryData(assignmentQuery(assignment._id).queryKey, assignment)
    await draw(`${audience}.assignment`, detailsPath, 'assignment')
  }

  startSession(null)
  await drawForAll('visitor')
  await draw('visitor.login', '/auth/login', 'login')
  await draw('visitor.register', '/auth/register', 'register')

  signIn('@@user.email@@')
  await drawForAll('user')
  await draw('user.create-assignment', '/create-assignment', 'create-assignment')
  await draw('user.pending-assignments', '/pending-assignments', 'pending-assignments')
  await draw('user.attemded-assignments', '/attemded-assignments', 'my-submissions')
  await draw('user.update-assignment', '/assignment/update/none', 'update-assignment')
  signIn(someone)
  queryClient.setQueryData(assignmentQuery(assignment._id).queryKey, assignment)
  await draw('user.assignment-own', detailsPath, 'assignment')

  const cards = { visitor: cutCards(pages, 'visitor'), user: cutCards(pages, 'user') }
  for (const page of Object.values(pages)) page.html = marked(page.html)
  return { pages, pieces: { cards, levels, near: nearness(), email: emails(), blankFace } }
}

function signIn(email: string) {
  startSession({ email, displayName: '@@user.name@@', photoURL: '@@user.photo@@', accessToken: '' })
}

function seedList(path: string, data: Assignment[]) {
  const { searchParams } = new URL(path, 'http://app.invalid')
  const pagination = { page: 1, limit: 10, total: data.length, totalPages: data.length > 0 ? 1 : 0 }
  queryClient.setQueryData(listQuery(listQueryOf(searchParams)).queryKey, { data, pagination })
}

/** Takes the cards out of the list's page and leaves a mark. Four cards have one of each kind. */
function cutCards(pages: FirstHTML['pages'], audience: Audience) {
  const page = pages[`${audience}.assignments`]
  const cards = page?.html.match(/<article.*?<\/article>/gs)?.map(marked)
  if (!page || cards?.length !== 4) throw new Error('The list does not show its four cards')
  const [lead, eager, , later] = cards as [string, string, string, string]
  page.html = page.html.replace(/<article.*<\/article>/s, '@@list.cards@@')
  return { lead, eager, later }
}

const levels = {
  easy: renderToString(<LevelBadge level="easy" />),
  medium: renderToString(<LevelBadge level="medium" />),
  hard: renderToString(<LevelBadge level="hard" />),
}

/** Puts marks where a component shows something of its own making instead of the text it was given. */
function marked(html: string): string {
  const filters = html.includes('>All Levels<')
  return html
    .replaceAll(levels.easy, '@@a.level@@')
    .replaceAll(renderToString(<Email address={someone} />), '@@a.creatorEmail@@')
    .replaceAll(due, '@@a.dueDate@@')
    .replaceAll(`${dueDay}</time>`, '@@a.dueDay@@</time>@@a.near@@')
    .replaceAll(/<option value="(|easy|medium|hard)"(?: selected="")?>/g, (option, level: string) =>
      filters ? `<option value="${level}"@@list.level.${level || 'all'}@@>` : option,
    )
}

function nearness(): Record<number, string> {
  const days = Array.from({ length: 15 }, (_, i) => i - 7)
  return Object.fromEntries(days.map((away) => [away, renderToString(<Nearness days={away} />)]))
}

function emails() {
  const address = renderToString(<Email address="local@domain.invalid" />)
  return {
    address: address.replace('local', '@@email.local@@').replace('@domain.invalid', '@@email.domain@@'),
    word: renderToString(<Email address="word" />).replace('word', '@@email.word@@'),
  }
}
