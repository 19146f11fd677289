import { useState, type ReactNode } from 'react'
import {
  Avatar,
  Badge,
  Button,
  Card,
  Checkbox,
  CircleSoFar,
  CircledMark,
  Clamped,
  DataTable,
  Dialog,
  DialogActions,
  DueDate,
  Email,
  EmptyState,
  ErrorState,
  FormFailure,
  LevelBadge,
  LinkButton,
  Loading,
  PageHead,
  Pages,
  PasswordInput,
  Person,
  Select,
  Stressed,
  TextArea,
  TextInput,
  Thumbnail,
  showAlert,
  showConfirm,
  toast,
} from '@/components/ui'
import { GalleryColours } from './gallery-colours'

const soon = new Date(Date.now() + 2 * 86_400_000).toISOString()
const rows = [
  { title: 'Explain recursion to your aunt', marks: 20, given: 18 },
  { title: 'Untitled', marks: 45, given: null },
]

/** Every component in every state, at /components of the development server. Not part of the build. */
export function Component() {
  const [page, setPage] = useState(3)
  const [open, setOpen] = useState(false)
  return (
    <div className="page grid gap-12">
      <h1>
        Every piece, in every <Stressed seed="gallery">state</Stressed>
      </h1>
      <GalleryColours />
      <PageHead title="The head of a page" art="create">
        One sentence on what the page is for.
      </PageHead>
      <Part title="Buttons">
        {(['primary', 'quiet', 'plain', 'danger'] as const).map((variant) => (
          <div key={variant} className="flex flex-wrap gap-3">
            <Button variant={variant}>{variant}</Button>
            <Button variant={variant} size="sm">
              small
            </Button>
            <Button variant={variant} disabled>
              disabled
            </Button>
            <Button variant={variant} busy>
              Saving…
            </Button>
          </div>
        ))}
        <LinkButton to="/">A link that looks like one</LinkButton>
      </Part>
      <Part title="Fields">
        <TextInput label="Plain" />
        <TextInput label="With a hint" hint="yyyy/MM/dd" defaultValue="2026/12/01" />
        <TextInput
          label="With an error"
          hint="A hint stays"
          error="What is wrong, and what would be right."
        />
        <TextArea label="Long text" />
        <Select label="Choice">
          <option>Easy</option>
        </Select>
        <PasswordInput label="Password" autoComplete="new-password" />
        <Checkbox label="Yes or no" hint="What yes means." />
        <FormFailure failure={{ code: 'auth/popup-blocked', sentence: 'What to do about it.' }} />
      </Part>
      <Part title="Boxes, dialogs, toasts">
        <Button onClick={() => void showAlert({ title: 'Success!', text: 'It worked.' })}>Message</Button>
        <Button
          onClick={() => void showAlert({ title: 'Error', text: 'No.', detail: 'And why.', error: true })}
        >
          Error
        </Button>
        <Button
          onClick={() => void showConfirm({ title: 'Are you sure?', text: 'It is gone then.', danger: true })}
        >
          Question
        </Button>
        <Button onClick={() => setOpen(true)}>Dialog</Button>
        <Button onClick={() => toast('It is done')}>Toast</Button>
        <Button onClick={() => toast('It failed', 'error')}>Error toast</Button>
        {open && (
          <Dialog title="A dialog" onClose={() => setOpen(false)}>
            <TextInput label="Something to type" />
            <DialogActions>
              <Button onClick={() => setOpen(false)}>Done</Button>
            </DialogActions>
          </Dialog>
        )}
      </Part>
      <Part title="Marks, badges, people, dates">
        <CircledMark seed="a">18</CircledMark>
        <CircledMark seed="b" drawn>
          1000
        </CircledMark>
        <CircleSoFar seed="a" count={2} needed={3} />
        <LevelBadge level="easy" />
        <LevelBadge level="medium" />
        <LevelBadge level="hard" />
        <Badge tone="quiet">pending</Badge>
        <Avatar />
        <Avatar name="Ada Okafor" />
        <Person name="Ada Okafor" email="ada@studycircle.example" photoURL={null} />
        <Clamped className="max-w-xs">{'A long text, of which the first lines do. '.repeat(9)}</Clamped>
        <Email address="somebody@a-rather-long-domain.example" />
        <DueDate instant={soon} />
        <DueDate instant="2031-05-06T23:59:59+14:00" />
      </Part>
      <Part title="Lists">
        <DataTable
          caption="A table"
          rows={rows}
          rowKey={(row) => row.title}
          columns={[
            { header: 'Title', cell: (row) => row.title },
            { header: 'Marks', cell: (row) => row.marks, numeric: true },
            { header: 'Obtained', cell: (row) => row.given, numeric: true },
          ]}
        />
        <Pages page={page} totalPages={12} onPage={setPage} />
        <Card lift className="max-w-xs overflow-hidden">
          <Thumbnail src="/no-such-picture" title="A broken picture" />
        </Card>
        <Loading />
        <EmptyState message="Nothing yet." art="submitted">
          <LinkButton to="/">A first step</LinkButton>
        </EmptyState>
        <ErrorState message="It could not be fetched." onRetry={() => toast('Asked again')} />
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-5">{title}</h2>
      <div className="flex flex-wrap items-start gap-4">{children}</div>
    </section>
  )
}
