import type { Defect } from './defect.ts'

const screens = ['tests/web/screens.test.ts']

export const webDefects: readonly Defect[] = [
  {
    name: 'a field of the web application without a label',
    file: 'web/src/ui/search-field.tsx',
    find: '        aria-label={label}\n',
    replace: '',
    tests: screens,
  },
  {
    name: 'dark text on a dark ground',
    file: 'web/src/ui/tokens.css',
    find: '  --ink-2: light-dark(#464856, #b9bbc7);\n',
    replace: '  --ink-2: light-dark(#464856, #34363f);\n',
    tests: screens,
  },
  {
    name: 'a page that is wider than a phone',
    file: 'web/src/patterns/page-header.module.css',
    find: '  padding: 0 14px 0 20px;\n  flex: none;\n  min-width: 0;\n',
    replace: '  padding: 0 14px 0 20px;\n  flex: none;\n  min-width: 900px;\n',
    tests: screens,
  },
  {
    name: 'an edit without a connection that is lost',
    file: 'web/src/api/queries.ts',
    find: '    mutations: { retry: false },\n',
    replace: "    mutations: { retry: false, networkMode: 'always' },\n",
    tests: ['tests/web/leads-conflicts.test.ts'],
  },
]
