import { useState } from 'react'
import { useMe } from '../../../session/me.ts'
import { importTexts as texts } from '../../../texts/en/import-texts.ts'
import { SelectField } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import styles from '../imports.module.css'
import type { Wizard } from '../wizard/wizard-model.ts'
import { delimiterName, encodingName, encodings } from './file-names.ts'
import { keptFiles } from './kept-files.ts'
import { SampleTable } from './sample-table.tsx'
import { UploadArea } from './upload-area.tsx'

/** Shows what was read of the file. It can be read in another way, or another one can be taken. */
export function FileStep({ wizard: { type, file, draft } }: { wizard: Wizard }) {
  const { locale } = useMe()
  const [encoding, setEncoding] = useState('')
  const [delimiter, setDelimiter] = useState('')
  const kept = keptFiles.get(file.id)
  const facts = [
    [texts.fileFields.rows, formatNumber(file.row_count, locale)],
    [texts.fileFields.columns, formatNumber(file.columns.length, locale)],
    [texts.fileFields.encoding, encodingName(file.encoding)],
    [texts.fileFields.delimiter, delimiterName(file.delimiter)],
  ] as const
  const asItIs = (value: string) => ({ value: '', label: texts.detected(value) })
  return (
    <div className={styles.page}>
      <div className={styles.medium}>
        <section className={styles.card}>
          <h2>{texts.fileTitle}</h2>
          <dl className={styles.facts}>
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section className={styles.card}>
          <h2>{texts.firstRows}</h2>
          <SampleTable columns={file.columns} rows={file.sample_rows} />
        </section>
        <section className={styles.card}>
          <h2>{texts.readTitle}</h2>
          <p className={styles.note}>{texts.readHint}</p>
          <div className={styles.fields}>
            <SelectField
              label={texts.fileFields.encoding}
              value={encoding}
              options={[
                asItIs(encodingName(file.encoding)),
                ...encodings.map((one) => ({ value: one, label: encodingName(one) })),
              ]}
              onChange={({ target }) => setEncoding(target.value)}
            />
            <SelectField
              label={texts.fileFields.delimiter}
              value={delimiter}
              options={[
                asItIs(delimiterName(file.delimiter)),
                ...Object.entries(texts.delimiters).map(([value, label]) => ({ value, label })),
              ]}
              onChange={({ target }) => setDelimiter(target.value)}
            />
          </div>
          <UploadArea
            type={type}
            label={texts.otherFile}
            hint={texts.otherHint}
            choices={draft}
            fields={{ ...(encoding && { encoding }), ...(delimiter && { delimiter }) }}
            known={kept && { file: kept, label: texts.readAgain }}
          />
        </section>
      </div>
    </div>
  )
}
