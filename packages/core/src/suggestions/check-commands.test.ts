import { describe, expect, it } from '@jest/globals'
import { checkCommandsIn } from './check-commands.ts'

describe('checkCommandsIn', () => {
  it.each<[string, readonly string[]]>([
    ['go test ./...', ['go test']],
    ['cd web && npm run lint -- --fix && npm test', ['npm run lint', 'npm test']],
    ['pnpm --filter web run test:unit', ['pnpm run test:unit']],
    ['timeout 60 cargo clippy --all-targets 2>&1 | tail -5', ['cargo clippy']],
    ['timeout -k 5 60s pytest -x tests/a.py', ['pytest']],
    ['CI=1 FOO=bar npx -y jest@30 src/a', ['npx jest']],
    ['python3 -m pytest -q; python -m http.server', ['python3 -m pytest']],
    ['uv run pytest && uv run ruff check .', ['uv run pytest', 'uv run ruff']],
    ['./gradlew test --info', ['./gradlew test']],
    ['mise run test:ci\nmise run fmt', ['mise run test:ci', 'mise run fmt']],
    ['(ruff check . || true) && ruff format', ['ruff check', 'ruff format']],
    ['make -j8 check', ['make check']],
    ['sudo -E make build', []],
    ['/usr/local/go/bin/go vet ./...', ['go vet']],
    ['npx nx run-many -t lint', []],
    ['nx run-many -t lint', []],
    ['go test ./a && go test ./b', ['go test']],
  ])('of %j', (text, checks) => {
    // Wrappers with options of their own, and targets given by an option, are not understood; they name nothing wrong.
    expect(checkCommandsIn(text)).toEqual(checks)
  })

  it.each([
    '',
    'git check-ignore -v a',
    'docker build .',
    'cat test/a.txt | grep build',
    'git commit -m "test: run npm test && go test"',
    "git commit -F - <<'EOF'\ngo test ./...\nnpm test\nEOF",
    'git log --oneline | go test',
    'echo "npm test"',
    'ls tests lint',
    'node --version > build.log',
    'npm install',
    'npm run dev',
    `${'('.repeat(50_000)}`,
    `cat <<EOF\n${'go test\n'.repeat(10_000)}`,
  ])('finds none in %#', (text) => {
    expect(checkCommandsIn(text)).toEqual([])
  })
})
