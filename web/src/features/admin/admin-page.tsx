import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { Badge, DataTable, ErrorState, Loading, Moment, RefreshFailed, type Column } from '@/components/ui'
import { explain } from '@/lib/problem'
import { formatBytes, formatSeconds } from './format'
import { overviewQuery, type Overview } from './queries'

/** The state of the server, for its operators. */
export function AdminPage() {
  const { data, error, isPending, refetch } = useQuery(overviewQuery)
  const retry = () => void refetch()
  return (
    <div className="page">
      <h1>{t`Server`}</h1>
      {isPending && <Loading label={t`Loading the state of the server`} fillsScreen />}
      {error && !data && <ErrorState message={explain(error)} onRetry={retry} />}
      <RefreshFailed error={data && error} onRetry={retry} />
      {data && <State of={data} />}
    </div>
  )
}

type Check = Overview['checks'][number]
type FailedMails = Overview['failedMails'][number]
type Node = Overview['nodes'][number]

const tones = { ok: 'success', warning: 'warning', failed: 'error' } as const

const checkColumns = (): Column<Check>[] => [
  { header: t`Check`, compact: 'heading', cell: ({ check }) => <b>{check}</b> },
  { header: t`State`, cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge> },
  { header: t`Result`, compact: 'unnamed', cell: ({ says }) => says },
  { header: t`What to do`, compact: 'unnamed', cell: (check) => check.do },
]

const failedColumns = (): Column<FailedMails>[] => [
  { header: t`Kind`, compact: 'heading', cell: ({ kind }) => <b>{kind}</b> },
  { header: t`Number`, numeric: true, cell: ({ count }) => count },
  { header: t`Last error`, compact: 'unnamed', cell: ({ error }) => error },
]

/** A node records every 30 seconds that it runs. */
const silentAfterMs = 90_000

const nodeColumns = (): Column<Node & { at: string }>[] => [
  { header: t`Host`, compact: 'heading', cell: ({ host }) => <b>{host}</b> },
  { header: t`Version`, cell: ({ version }) => version },
  { header: t`Started`, cell: ({ startedAt }) => <Moment instant={startedAt} /> },
  { header: t`Last seen`, cell: ({ heardAt }) => <Moment instant={heardAt} /> },
  {
    header: t`State`,
    cell: ({ at, heardAt, answers }) => (
      <Badge tone={Date.parse(at) - Date.parse(heardAt) > silentAfterMs ? 'error' : 'success'}>
        {Date.parse(at) - Date.parse(heardAt) > silentAfterMs
          ? t`silent`
          : answers
            ? t`running, answering you`
            : t`running`}
      </Badge>
    ),
  },
]

const checkKey = ({ check }: Check) => check
const kindKey = ({ kind }: FailedMails) => kind
const nodeKey = ({ _id }: Node) => _id

/** The name of a state of jobs. */
const jobWords = (): Record<string, string> => ({
  available: t`Jobs waiting`,
  cancelled: t`Jobs canceled`,
  completed: t`Jobs finished in the last minute`,
  discarded: t`Jobs failed`,
  pending: t`Jobs pending`,
  retryable: t`Jobs waiting to be tried again`,
  running: t`Jobs running`,
  scheduled: t`Jobs scheduled`,
})

function State({ of }: { of: Overview }) {
  const jobs = of.jobs.filter(({ count }) => count > 0)
  const versions = new Set(of.nodes.map(({ version }) => version))
  return (
    <div className="mt-8 grid gap-12">
      <Section
        title={t`Checks`}
        about={
          <Trans>
            What <Command name="doctor" /> checks, on the node that answered you.
          </Trans>
        }
      >
        <DataTable caption={t`Checks`} columns={checkColumns()} rows={of.checks} rowKey={checkKey} />
        <Facts
          facts={[
            [t`Schema of the database`, String(of.schema)],
            [t`Schema of the program`, String(of.knownSchema)],
            [t`Free disk space`, formatBytes(of.disk.freeBytes)],
            [t`Used disk space`, formatBytes(of.disk.usedBytes)],
            [t`Last backup`, of.lastBackup ? <Moment key="backup" instant={of.lastBackup} /> : t`none`],
          ]}
        />
      </Section>
      <Section
        title={t`Background jobs`}
        about={
          <Trans>
            <Command name="jobs list" /> lists them one by one.
          </Trans>
        }
      >
        <Facts
          facts={[
            ...jobs.map(({ state, count }): Fact => [jobWords()[state] ?? state, String(count)]),
            ...of.oldest.map(({ kind, seconds }): Fact => [
              t`Longest wait: ${kind}`,
              seconds > 0 ? formatSeconds(seconds) : t`none`,
            ]),
          ]}
        />
      </Section>
      <Section
        title={t`Undelivered emails`}
        about={
          <Trans>
            In the last 24 hours. <Command name="jobs retry" /> sends them again.
          </Trans>
        }
      >
        {of.failedMails.length === 0 ? (
          <p>{t`None.`}</p>
        ) : (
          <DataTable
            caption={t`Undelivered emails`}
            columns={failedColumns()}
            rows={of.failedMails}
            rowKey={kindKey}
          />
        )}
      </Section>
      <Section title={t`Nodes`} about={t`A node that stops unexpectedly stays listed for a day.`}>
        {versions.size > 1 && <p>{t`The nodes run different versions.`}</p>}
        <DataTable
          caption={t`Nodes`}
          columns={nodeColumns()}
          rows={of.nodes.map((node) => ({ ...node, at: of.at }))}
          rowKey={nodeKey}
        />
      </Section>
    </div>
  )
}

function Command({ name }: { name: string }) {
  return <code>studycircle {name}</code>
}

function Section({ title, about, children }: { title: string; about: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <div>
        <h2 id={id}>{title}</h2>
        <p className="mt-1 max-w-prose text-sm text-soft">{about}</p>
      </div>
      {children}
    </section>
  )
}

type Fact = [name: string, value: ReactNode]

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(([name, value]) => (
        <div
          key={name}
          className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2"
        >
          <dt className="text-soft">{name}</dt>
          <dd className="font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
