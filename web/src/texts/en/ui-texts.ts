import { translate } from '../language.ts'

export const uiTexts = translate('uiTexts', {
  close: 'Close',
  dismiss: 'Dismiss',
  keys: {
    control: 'Ctrl',
    escape: 'Esc',
    pageDown: 'PgDn',
    pageUp: 'PgUp',
    home: 'Home',
    end: 'End',
  },
})
