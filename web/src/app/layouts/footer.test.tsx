import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { SettingContext } from '@/lib/site'
import site from '../../../../internal/site/default.json'
import { Footer } from './footer'

test.for([true, false])(
  'the footer leads to the documentation where the server has it: %s',
  async (documentation) => {
    await render(
      <SettingContext value={{ brand: 'StudyCircle', site, documentation }}>
        <Footer />
      </SettingContext>,
    )
    await expect.element(page.getByRole('link', { name: site.footer.classroom.label })).toBeVisible()
    const link = page.getByRole('link', { name: 'Documentation' })
    expect(link.elements()).toHaveLength(documentation ? 1 : 0)
    if (documentation) await expect.element(link).toHaveAttribute('href', '/docs')
  },
)
