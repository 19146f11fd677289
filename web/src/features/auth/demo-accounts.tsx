import { t } from '@lingui/core/macro'
import { Button } from '@/components/ui'
import type { DemoAccount } from '@/lib/site'

interface DemoAccountsProps {
  accounts: DemoAccount[]
  onPick: (account: DemoAccount) => void
}

/** The sample sign-ins of a demonstration server; each fills in the form. */
export function DemoAccounts({ accounts, onPick }: DemoAccountsProps) {
  return (
    <section aria-labelledby="demo-accounts" className="mt-8 border-t border-line pt-6">
      <h2 id="demo-accounts" className="text-lg">
        {t`Sample accounts`}
      </h2>
      <p className="mt-1 text-sm text-soft">{t`This is a demonstration. Pick an account, then sign in.`}</p>
      <ul className="mt-4 flex flex-wrap gap-2">
        {accounts.map((account) => (
          <li key={account.email}>
            <Button variant="quiet" size="sm" title={account.email} onClick={() => onPick(account)}>
              {account.displayName}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
