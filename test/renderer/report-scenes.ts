import type { Scene } from './scene.ts'

/** The reports of a practice; each chart has its numbers in words. */
export const reportScenes: readonly Scene[] = [
  {
    name: 'reports',
    hash: '/reports',
    act: (page) => page.getByRole('img', { name: /^Time to sign a note\. Sep 7: 26 hours; .*Nov 23: 11.5 hours$/ }).waitFor(),
  },
  {
    name: 'reports of a new practice, from its first session on',
    hash: '/reports',
    demo: { isNewPractice: true },
    act: async (page) => {
      await page.getByText('The median is 10 days. A chart appears after three weeks with signed notes.').waitFor()
      // The two weeks with sessions, without the ten empty ones before.
      await page
        .getByRole('img', { name: /^Sessions per week\. Nov 16: 15 held, 1 canceled, 1 no-shows; Nov 23: [^;]+$/ })
        .waitFor()
    },
  },
  { name: 'reports, nothing yet', hash: '/reports', demo: { isEmpty: true } },
  {
    name: 'reports, as a table',
    hash: '/reports',
    act: (page) => page.getByRole('button', { name: 'Show as a table' }).click(),
  },
  {
    name: 'reports, how they are counted',
    hash: '/reports',
    act: (page) => page.getByRole('button', { name: 'How these are calculated' }).click(),
  },
]
