import { CircleAlert, TriangleAlert } from 'lucide-react'
import { importColumnTexts as texts } from '../../../texts/en/import-column-texts.ts'
import { Button } from '../../../ui/button.tsx'
import type { Wizard } from '../wizard/wizard-model.ts'
import styles from './columns.module.css'
import { describeProblem } from './describe-problem.ts'

/** Lists what must be fixed before the next step (red) and what the user should look at (amber). */
export function ProblemList({ wizard, show }: { wizard: Wizard; show: (column: string) => void }) {
  const { problems, draft, change, go } = wizard
  return (
    <section className={styles.section}>
      <h2>
        <span role="status">{problems.length === 0 ? texts.noProblems : texts.toLookAt(problems.length)}</span>
      </h2>
      <ul className={styles.problems}>
        {problems.map((problem) => {
          const { title, text, fixes } = describeProblem(problem, draft)
          const [column] = problem.columns
          return (
            <li key={`${problem.kind}${column}`} className={problem.isBlocking ? styles.blocking : styles.question}>
              {problem.isBlocking ? <CircleAlert size={16} /> : <TriangleAlert size={16} />}
              <div>
                {column ? (
                  <button type="button" className={styles.problemTitle} onClick={() => show(column)}>
                    {title}
                  </button>
                ) : (
                  <b>{title}</b>
                )}
                <p>{text}</p>
                <div className={styles.fixes}>
                  {fixes.map((fix) => (
                    <Button key={fix.label} size="small" onClick={() => change(fix.change)}>
                      {fix.label}
                    </Button>
                  ))}
                  {problem.kind === 'guessed_encoding' && (
                    <Button size="small" onClick={() => go('file')}>
                      {texts.toFile}
                    </Button>
                  )}
                </div>
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
