import { Funnel, Search, UsersRound } from 'lucide-react'
import { State } from '../../../patterns/states.tsx'
import { campaignResultTexts } from '../../../texts/en/campaign-result-texts.ts'
import { Button } from '../../../ui/button.tsx'
import type { OpenDialog } from '../record/campaign-actions.ts'
import styles from './results.module.css'

const texts = campaignResultTexts.empty
const icons = { segment: <Funnel size={15} />, search: <Search size={15} /> }

/** Says how people come into a campaign that has none. */
export const NoPeople = ({ ways, open }: { ways: readonly ('segment' | 'search')[]; open: OpenDialog }) => (
  <section className={styles.card}>
    <State
      icon={<UsersRound size={20} />}
      hue="info"
      title={texts.title}
      actions={ways.map((way, at) => (
        <Button key={way} variant={at === 0 ? 'primary' : 'secondary'} icon={icons[way]} onClick={() => open(way)}>
          {texts[way]}
        </Button>
      ))}
    >
      {ways.length > 0 ? texts.text : texts.textReadOnly}
    </State>
  </section>
)
