// Starts the workers; each listens on the same port. Ends with its standard input, so that it never outlives the bench.
import cluster from 'node:cluster'
import { serve } from './server.js'

if (cluster.isPrimary) {
  const workers = Number(process.env.WORKERS ?? 2)
  for (let i = 0; i < workers; i++) cluster.fork()
  cluster.on('exit', () => process.exit(1))
  process.stdin.resume()
  process.stdin.on('end', () => process.exit(0))
} else {
  await serve()
}
