import { Link } from '@tanstack/react-router'
import { convertTexts as texts } from '../../../texts/en/convert-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { Conversion } from '../lead-queries.ts'
import styles from './convert.module.css'

/** Says which records were created and links to them. */
export function ConversionResult({ result, close }: { result: Conversion; close: () => void }) {
  const { account, contact, opportunity, created } = result
  const records = [
    { kind: texts.account, record: account, isNew: created.account, path: 'accounts' },
    { kind: texts.contact, record: contact, isNew: created.contact, path: 'contacts' },
    { kind: texts.deal, record: opportunity, isNew: created.opportunity, path: 'deals' },
  ]
  return (
    <Dialog
      title={texts.converted}
      close={close}
      footer={
        <Button variant="primary" onClick={close}>
          {texts.done}
        </Button>
      }
    >
      <dl className={styles.result}>
        {records.map(
          ({ kind, record, isNew, path }) =>
            record && (
              <div key={kind}>
                <dt>{kind}</dt>
                <dd>
                  <Link to={`/${path}/${record.id}` as string} onClick={close}>
                    {record.name}
                  </Link>{' '}
                  <span>{isNew ? texts.isNew : texts.existed}</span>
                </dd>
              </div>
            ),
        )}
      </dl>
    </Dialog>
  )
}
