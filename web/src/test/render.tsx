import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import type { ReactNode } from 'react'
import { render as renderAlone } from 'vitest-browser-react'

function WithTexts({ children }: { children: ReactNode }) {
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>
}

/** Renders a component with the English texts of its source. */
export const render = (component: ReactNode) => renderAlone(component, { wrapper: WithTexts })
